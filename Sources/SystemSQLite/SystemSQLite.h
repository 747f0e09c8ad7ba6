#ifndef SYSTEM_SQLITE_H
#define SYSTEM_SQLITE_H

#include <sqlite3.h>

// Takes text in double quotes for a name only, as standard SQL does. Swift cannot call functions with variable arguments.
static inline int sqlite3_forbid_double_quoted_text(sqlite3 *connection) {
  int code = sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (void *)0);
  if (code != SQLITE_OK) return code;
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (void *)0);
}

// Has views, triggers and the like, which a file brings along, call no functions but harmless ones.
static inline int sqlite3_distrust_schema(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (void *)0);
}

// The opposite, for a file whose views and triggers somebody has looked at.
static inline int sqlite3_trust_schema(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1, (void *)0);
}

// A table and a cursor of a virtual table that is written in Swift, laid out as SQLite wants it: what SQLite knows comes
// first. The table borrows its object, the cursor owns its own.
typedef struct {
  sqlite3_vtab base;
  void *object;
} sqlite3_object_table;

typedef struct {
  sqlite3_vtab_cursor base;
  void *object;
} sqlite3_object_cursor;

#endif
