#define _GNU_SOURCE
#include "CShims.h"

#include <string.h>

const void *findBytes(const void *bytes, size_t count, const void *needle, size_t needleCount) {
  return memmem(bytes, count, needle, needleCount);
}
