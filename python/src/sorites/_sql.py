"""Rows of databases."""

from __future__ import annotations

from typing import Any, Iterable, List


def sql(connection: Any, query: str, parameters: Iterable[Any] = ()) -> List[tuple]:
    """The rows of a query to a database (DB-API 2.0: sqlite3, psycopg2, ...), as data of a predicate.

    >>> import sqlite3
    >>> database = sqlite3.connect(":memory:")
    >>> _ = database.execute("create table lived (who text, place text)")
    >>> _ = database.execute("insert into lived values ('ann', 'oslo')")
    >>> sql(database, "select who, place from lived")
    [('ann', 'oslo')]
    """
    cursor = connection.cursor()
    try:
        cursor.execute(query, tuple(parameters))
        return [tuple(row) for row in cursor.fetchall()]
    finally:
        cursor.close()
