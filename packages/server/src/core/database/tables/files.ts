/** A single-use upload address. */
export interface UploadRow {
  id: string
  owner_id: string
  created_at: number
  expires_at: number
  /** When the body began to arrive: from then on the address is used. */
  started_at: number | null
  /** Ciphertext bytes once the body is stored. */
  size: number | null
  finished_at: number | null
  /** The process that receives the body; null if there is only one. */
  process: string | null
}

/** A registered file; `message_id` once it was sent. */
export interface FileRow {
  id: string
  owner_id: string
  size: number
  created_at: number
  message_id: string | null
  connection_id: string | null
  expires_at: number
}

export interface FileAuthorizationRow {
  id: string
  file_id: string
  connection_id: string
  owner_id: string
  requester_id: string
  status: 'pending' | 'authorized' | 'denied'
  requested_at: number
  decided_at: number | null
  downloads_left: number
  grant_epoch_to: number | null
  grant_sealed_key: string | null
  grant_signature: string | null
  /** A JSON array with the SHA-256 hash of the sealed key of each grant that was ever stored here. */
  used_grants: string
}

/** A download under way or done; an aborted one returns its count. */
export interface FileDownloadRow {
  id: string
  authorization_id: string
  started_at: number
  finished_at: number | null
  /** The process that sends the body; null if there is only one. */
  process: string | null
}
