#ifndef SYSTEM_POSTGRES_H
#define SYSTEM_POSTGRES_H

#include <libpq-fe.h>

#endif
