#ifndef SYSTEM_SQLITE_H
#define SYSTEM_SQLITE_H

#include <sqlite3.h>

// Treats text in double quotes only as a name, as standard SQL does. Swift cannot call functions with variable arguments.
static inline int sqlite3_forbid_double_quoted_text(sqlite3 *connection) {
  int code = sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (void *)0);
  if (code != SQLITE_OK) return code;
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (void *)0);
}

// Lets the views and triggers in a file call only harmless functions.
static inline int sqlite3_distrust_schema(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (void *)0);
}

// The opposite, for a file whose views and triggers were verified.
static inline int sqlite3_trust_schema(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1, (void *)0);
}

// A table and a cursor of a virtual table that is written in Swift, in SQLite's layout: SQLite's own struct comes first. The
// table borrows its object, the cursor owns its own.
typedef struct {
  sqlite3_vtab base;
  void *object;
} sqlite3_object_table;

typedef struct {
  sqlite3_vtab_cursor base;
  void *object;
} sqlite3_object_cursor;

#endif
