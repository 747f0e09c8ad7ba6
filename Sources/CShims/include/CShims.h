#pragma once

#include <stddef.h>

// What the library needs of C and of Swift's runtime, and Swift does not see by itself.

/// Asks the processor to bring the memory around an address closer, without waiting for it. The address is not read: it
/// may be any.
static inline void requestCacheLine(const void *address) {
  __builtin_prefetch(address);
}

/// The first place in some bytes at which others begin, or null. It takes time in proportion to both together.
///
/// The C library's `memmem`, which its headers declare only for programs that ask for GNU's extensions.
const void *findBytes(const void *bytes, size_t count, const void *needle, size_t needleCount);

// Retains an object unless it is being destroyed, when the result is null. An unowned reference has to keep its memory.
void *swift_tryRetain(void *object);

// Keeps the memory of an object, though not the object.
void *swift_unownedRetain(void *object);
void swift_unownedRelease(void *object);

// The same for an object that no other thread knows yet.
void *swift_nonatomic_unownedRetain(void *object);

/// A descriptor that says where a file is and does not read it: closing it ends no locks of the process. Negative on failure.
int openPlace(const char *path);

/// The lock that a descriptor has on its file: none, beside others, or alone.
enum FileLock { unlocked, sharedLock, exclusiveLock };

/// Changes the lock of a descriptor, without waiting. A lock that cannot be changed stays what it was.
///
/// Returns 0, or -1 where others have the file locked in a way that does not go together.
int lockFile(int descriptor, enum FileLock kind);
