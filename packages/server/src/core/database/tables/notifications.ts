import type { AccountChange } from '@privity/contract/notifications'

/** An event for one user; columns that may be null belong to some kinds only. */
export interface NotificationRow {
  id: string
  user_id: string
  kind:
    | 'connection_created'
    | 'connection_requested'
    | 'file_requested'
    | 'file_decided'
    | 'key_changed'
    | 'second_factor_reset'
    | 'account_changed'
    | 'account_locked'
    | 'signed_in'
  created_at: number
  expires_at: number
  is_read: number
  connection_id: string | null
  /** The contact concerned. */
  peer_id: string | null
  file_id: string | null
  /** Set for `key_changed`: the key that was found. */
  identity_key: string | null
  decision: 'approved' | 'denied' | 'revoked' | null
  session_id: string | null
  device: string | null
  address: string | null
  /** Set for `account_changed`. */
  change: AccountChange | null
  /** Set for `account_locked` and `signed_in`: the number of failed sign-ins before it. */
  failures: number | null
}
