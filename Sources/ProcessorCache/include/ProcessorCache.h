#ifndef PROCESSOR_CACHE_H
#define PROCESSOR_CACHE_H

/// Asks the processor to bring the memory around an address closer, without waiting for it. The address is not read: it
/// may be any.
static inline void requestCacheLine(const void *address) {
  __builtin_prefetch(address);
}

#endif
