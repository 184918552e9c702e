-- The image of PostgreSQL runs this once, as its superuser, on an empty volume. The server signs in as a role that owns
-- one database and has no rights beyond it.
\set password `cat /run/secrets/database_password`
create role privity login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password :'password';
-- Text is ordered by its bytes, as in SQLite.
create database privity owner privity encoding 'UTF8' locale 'C' template template0;
revoke connect on database privity, postgres, template1 from public;
