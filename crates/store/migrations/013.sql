-- The program that saved an entry, by its name. Nothing where a person or she herself did, and for all that was there
-- before: a program takes the place of none of those.
ALTER TABLE vector_entries ADD COLUMN author TEXT;
