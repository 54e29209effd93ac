-- What the service's own role may do, and no more. It runs after every migration, also if nothing was pending: a role
-- that was created later, or a restored backup, gets its privileges from the next start or job that migrates.
-- One role for everything (the service owns its tables) is left as it is, and so is a database without that role.
DO $$
DECLARE
  -- Three words of one setting: Flyway's placeholder, and who owns what the migrations made.
  service text := '${service-role}';
  owner   oid  := (SELECT relowner FROM pg_class WHERE oid = 'sync_heads'::regclass);
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = service)
    OR pg_has_role(service, owner, 'MEMBER')
    OR NOT pg_has_role(owner, 'USAGE')
  THEN
    RETURN;
  END IF;

  -- Two pods that migrate at once would fail with "tuple concurrently updated".
  PERFORM pg_advisory_xact_lock(hashtextextended('steadfast privileges', 0));

  GRANT USAGE ON SCHEMA "${flyway:defaultSchema}" TO "${service-role}";
  REVOKE ALL ON sync_heads, sync_rows, sync_verdicts, publications, idempotent_operations, outbox, "${flyway:table}"
    FROM "${service-role}";

  -- The health check of a pod that does not migrate.
  GRANT SELECT ON "${flyway:table}" TO "${service-role}";

  -- Nobody is erased and no cursor becomes void by the service's hand.
  GRANT SELECT, INSERT (user_id), UPDATE (seq) ON sync_heads TO "${service-role}";
  GRANT SELECT, INSERT, UPDATE (fields, marks, seq) ON sync_rows TO "${service-role}";

  -- A verdict is forever: it can be added and read. The time is the database's.
  GRANT SELECT, INSERT (user_id, op_id, fingerprint, status, reason, code) ON sync_verdicts TO "${service-role}";

  -- A stored answer is the answer until its retention is over.
  GRANT SELECT, INSERT (principal, operation, key, request, status, headers, body), DELETE
    ON idempotent_operations TO "${service-role}";

  GRANT SELECT, INSERT (title, version), UPDATE (title, version) ON publications TO "${service-role}";

  -- What an event says is written once.
  GRANT SELECT, INSERT (id, subject, event),
      UPDATE (attempts, next_attempt_at, last_failure, delivered_at, dead_at), DELETE
    ON outbox TO "${service-role}";

  -- They are called by triggers alone, with the rights of whoever deletes: nobody needs to be let in.
  REVOKE EXECUTE ON FUNCTION sync_erase_people(), sync_erase_everybody() FROM PUBLIC;
END;
$$;
