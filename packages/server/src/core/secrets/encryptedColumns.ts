interface Sealed {
  /** Columns of the primary key. */
  key: readonly string[]
  columns: readonly string[]
}

/** Every column that holds text encrypted by secrets.sealAtRest; a rotation encrypts all of them anew. */
export const sealedColumns: Record<string, Sealed> = {
  users: { key: ['id'], columns: ['wrapped_identity_seed', 'wrapped_account_key', 'recovery_wrapped_account_key'] },
  epochs: { key: ['user_id', 'n'], columns: ['wrapped_seed', 'wrapped_former_key'] },
  authenticator_apps: { key: ['user_id'], columns: ['secret'] },
  authenticator_setups: { key: ['user_id'], columns: ['secret'] },
  founder_authenticator_app: { key: ['id'], columns: ['secret'] },
  founder_report_keys: { key: ['id'], columns: ['wrapped_seed'] },
  proposed_passwords: { key: ['token_hash'], columns: ['proposal'] },
  incident_acknowledgements: { key: ['incident_id'], columns: ['note'] },
  support_requests: { key: ['id'], columns: ['subject', 'message'] },
}

export const auditKeySetting = 'audit_signing_key'

/** Rows of `settings` whose value is encrypted. */
export const sealedSettings = [auditKeySetting, 'carried_keys'] as const
