#pragma once

#include <stddef.h>

// Functions of C and of Swift's runtime that Swift does not import by itself.

/// Asks the processor to load the memory around an address into its cache, without waiting for it. The address may be invalid,
/// because it is not read.
static inline void requestCacheLine(const void *address) {
  __builtin_prefetch(address);
}

/// The first position of a byte sequence in another one, or null. It takes time in proportion to the sum of both lengths.
///
/// The C library's `memmem`, which its headers declare only for programs that ask for GNU's extensions.
const void *findBytes(const void *bytes, size_t count, const void *needle, size_t needleCount);

// Retains an object unless it is being destroyed; the result is null then. An unowned reference must retain its memory.
void *swift_tryRetain(void *object);

// Retains the memory of an object, though not the object.
void *swift_unownedRetain(void *object);
void swift_unownedRelease(void *object);

// The same for an object that no other thread knows yet.
void *swift_nonatomic_unownedRetain(void *object);

/// Opens a descriptor of a file's location that cannot read it: closing it releases no locks of the process. Negative on
/// failure.
int openPlace(const char *path);

/// The lock that a descriptor has on its file.
enum FileLock { unlocked, sharedLock, exclusiveLock };

/// Changes the lock of a descriptor, without waiting. A lock that cannot be changed stays what it was.
///
/// Returns 0, or -1 where the file has a conflicting lock.
int lockFile(int descriptor, enum FileLock kind);
