"""One process of the application, with its own document."""

from __future__ import annotations

import re
import signal
import subprocess
from pathlib import Path

from checks import CheckFailed, wait_until

READY = re.compile(r"^Flashcards shows (?P<file>.+) at (?P<url>http://127\.0\.0\.1:(?P<port>\d+))$", re.MULTILINE)
START_SECONDS = 15.0


class Server:
    """Starts, stops and kills the application. A restart shows the same document."""

    def __init__(self, binary: Path, folder: Path, document: str = "Test.flashcards") -> None:
        self.binary = binary
        self.folder = folder
        self.document = folder / document
        self.port = 0
        self.starts = 0
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, port: int = 0) -> None:
        self.starts += 1
        command = [str(self.binary), str(self.document), "--port", str(port)]
        with self._file("out").open("wb") as output, self._file("err").open("wb") as errors:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
        ready = wait_until("the server prints its address", self._ready, START_SECONDS)
        self.port = int(ready["port"])

    def _file(self, kind: str) -> Path:
        return self.folder / f"server-{self.starts}.{kind}"

    def _ready(self) -> re.Match[str] | None:
        match = READY.search(self.printed())
        if match is None and self._running().poll() is not None:
            raise CheckFailed(f"The server ended with status {self._running().returncode}")
        return match

    def printed(self) -> str:
        """The standard output since the last start."""
        return self._file("out").read_text(errors="replace")

    def output(self) -> str:
        """The output of all starts, for the report of a failed test."""
        files = sorted(self.folder.glob("server-*.*"))
        return "".join(f"-- {file.name}\n{file.read_text(errors='replace')}" for file in files)

    def _running(self) -> subprocess.Popen[bytes]:
        if self.process is None:
            raise CheckFailed("The server was not started")
        return self.process

    @property
    def pid(self) -> int:
        return self._running().pid

    def stop(self, seconds: float = 5.0, by: signal.Signals = signal.SIGTERM) -> int:
        """Asks the server to end, and returns its exit status (negative: the signal that ended it)."""
        process = self._running()
        process.send_signal(by)
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise CheckFailed(f"The server still runs {seconds:g} s after {by.name}") from None

    def kill(self) -> None:
        """Kills the process (SIGKILL), and waits for its end."""
        process = self._running()
        process.kill()
        process.wait()

    def close(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.kill()

    def resident_kilobytes(self) -> int:
        status = Path(f"/proc/{self.pid}/status").read_text()
        match = re.search(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)
        if match is None:
            raise CheckFailed("The system does not tell the server's memory")
        return int(match[1])
