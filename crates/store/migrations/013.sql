-- The name of the program that saved an entry; null if the user or the companion saved it. A program cannot replace such
-- an entry.
ALTER TABLE vector_entries ADD COLUMN author TEXT;
