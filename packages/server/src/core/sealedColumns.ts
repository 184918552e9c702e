/** Every place in the database that holds something sealed by secrets.sealAtRest; a rotation seals all of it anew. */
export const sealedColumns: Record<string, readonly string[]> = {
  users: ['wrapped_identity_seed', 'wrapped_account_key', 'recovery_wrapped_account_key'],
  epochs: ['wrapped_seed', 'wrapped_former_key'],
  authenticator_apps: ['secret'],
  authenticator_setups: ['secret'],
  founder_authenticator_app: ['secret'],
  founder_report_keys: ['wrapped_seed'],
  proposed_passwords: ['proposal'],
  support_requests: ['subject', 'message'],
}

/** Rows of `settings` whose value is sealed. */
export const sealedSettings = ['audit_signing_key', 'carried_keys'] as const
