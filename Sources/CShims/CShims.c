#define _GNU_SOURCE
#include "CShims.h"

#include <fcntl.h>
#include <string.h>

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
