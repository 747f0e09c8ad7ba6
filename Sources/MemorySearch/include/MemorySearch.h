#ifndef MEMORY_SEARCH_H
#define MEMORY_SEARCH_H

#include <stddef.h>

/// The first place in some bytes at which others begin, or null. It takes time in proportion to both together.
///
/// The C library's `memmem`, which Swift does not see: it is declared for those alone who ask for GNU's extensions.
const void *findBytes(const void *bytes, size_t count, const void *needle, size_t needleCount);

#endif
