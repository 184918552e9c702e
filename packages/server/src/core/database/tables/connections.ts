/** Whom a user refuses a new connection with; the name is the one he had at that time. */
export interface BlockRow {
  blocker_id: string
  blocked_id: string
  first_name: string
  last_name: string
  blocked_at: number
}

/** A connection that ended with an account, of which the audit log and the contact are not told yet. */
export interface ConnectionEndingRow {
  connection_id: string
  /** The user of the deleted account. */
  user_id: string
  contact_id: string
  /** The author of the deletion: a user's id, or 'founder'; null for the server itself. */
  actor_id: string | null
  actor_organization: string | null
  target_id: string
  target_organization: string
  address: string | null
  /** 1 where the contact's log may say that the account was deleted. */
  is_account_told: number
  /** 1 where notifications of the contact went with the connection. */
  had_notifications: number
}

/** Whom a user was connected with until lately, by the name of that time. */
export interface FormerContactRow {
  user_id: string
  contact_id: string
  first_name: string
  last_name: string
  ended_at: number
  expires_at: number
}

/** user_id_1 < user_id_2 as text; the columns ending in _1 and _2 belong to them. */
export interface ConnectionRow {
  id: string
  user_id_1: string
  user_id_2: string
  status: 'active'
  connected_at: number
  last_seq: number
  /** Of the newest message this party sent. */
  sent_seq_1: number
  sent_seq_2: number
  delivered_seq_1: number
  read_seq_1: number
  delivered_seq_2: number
  read_seq_2: number
  /** Of what was read, what the other party may be told: it stands still while either keeps read receipts off. */
  shown_read_seq_1: number
  shown_read_seq_2: number
}
