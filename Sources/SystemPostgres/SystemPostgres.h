#ifndef SYSTEM_POSTGRES_H
#define SYSTEM_POSTGRES_H

// Debian has it in a folder of its own, which the compiler knows only from pkg-config.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif

#endif
