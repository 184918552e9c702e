/** A block: `blocker_id` refuses new connections with `blocked_id`, whose name is kept as it was then. */
export interface BlockRow {
  blocker_id: string
  blocked_id: string
  first_name: string
  last_name: string
  blocked_at: number
}

/** A connection that ended with an account; the audit log and the contact are yet to be informed. */
export interface ConnectionEndingRow {
  connection_id: string
  /** The user whose account was deleted. */
  user_id: string
  contact_id: string
  /** The author of the deletion: a user's id, or 'founder'; null for the server itself. */
  actor_id: string | null
  actor_organization: string | null
  target_id: string
  target_organization: string
  address: string | null
  /** 1 if the contact's log may state that the account was deleted. */
  is_account_told: number
  /** 1 if notifications of the contact were deleted with the connection. */
  had_notifications: number
}

/** A former contact of a user, with the name at the end of the connection; kept until `expires_at`. */
export interface FormerContactRow {
  user_id: string
  contact_id: string
  first_name: string
  last_name: string
  ended_at: number
  expires_at: number
}

/** A request of one member to connect with another. It is open, or looks so to its sender, until `expires_at`. */
export interface ConnectionRequestRow {
  id: string
  from_id: string
  to_id: string
  state: 'open' | 'declined' | 'withdrawn'
  created_at: number
  expires_at: number
}

/** user_id_1 < user_id_2 as text; the columns ending in _1 and _2 belong to them. */
export interface ConnectionRow {
  id: string
  user_id_1: string
  user_id_2: string
  status: 'active'
  connected_at: number
  /** How long messages live, in milliseconds, where a participant has set it. */
  lifetime: number | null
  last_seq: number
  /** Sequence number of this participant's newest message. */
  sent_seq_1: number
  sent_seq_2: number
  delivered_seq_1: number
  read_seq_1: number
  delivered_seq_2: number
  read_seq_2: number
  /** The read position shown to the other participant; it stands still while either has read receipts off. */
  shown_read_seq_1: number
  shown_read_seq_2: number
}
