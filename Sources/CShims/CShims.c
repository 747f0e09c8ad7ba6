#define _GNU_SOURCE
#include "CShims.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

const void *findBytes(const void *bytes, size_t count, const void *needle, size_t needleCount) {
  return memmem(bytes, count, needle, needleCount);
}

int openPlace(const char *path) {
#ifdef O_PATH
  return open(path, O_PATH | O_CLOEXEC);
#else
  return open(path, O_EVTONLY | O_CLOEXEC);
#endif
}

int lockFile(int descriptor, enum FileLock kind) {
  // Zero for the rest: the whole file. These locks belong to the descriptor and not to the process, and change their kind at
  // once, which those of flock do not.
  short types[] = {F_UNLCK, F_RDLCK, F_WRLCK};
  struct flock lock = {.l_type = types[kind], .l_whence = SEEK_SET};
  return fcntl(descriptor, F_OFD_SETLK, &lock);
}
