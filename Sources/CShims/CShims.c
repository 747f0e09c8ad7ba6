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
  // The remaining fields are zero: the lock covers the whole file. Such a lock belongs to the descriptor, not to the process,
  // and changes its kind atomically, unlike a lock of flock.
  short types[] = {F_UNLCK, F_RDLCK, F_WRLCK};
  struct flock lock = {.l_type = types[kind], .l_whence = SEEK_SET};
  return fcntl(descriptor, F_OFD_SETLK, &lock);
}
