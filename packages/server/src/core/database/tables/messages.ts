export interface EnvelopeRow {
  id: string
  connection_id: string
  from_id: string
  to_id: string
  epoch_from: number
  epoch_to: number
  sealed_for_recipient: string
  sealed_for_sender: string
  signature: string
  created_at: number
  /** Not before the newest message under it expires. */
  expires_at: number
}

export interface MessageRow {
  id: string
  connection_id: string
  seq: number
  sender_id: string
  envelope_id: string
  content: string
  message_type: 'text' | 'file'
  file_id: string | null
  /** Ciphertext bytes. */
  file_size: number | null
  file_name: string | null
  file_key: string | null
  created_at: number
  expires_at: number
  /** Tag that lets a scan detect equal texts of this sender within a day; it reveals nothing else. */
  repetition: string | null
  /** The sender's identity key at that time; null if stored by a release that did not verify it. */
  identity_key: string | null
  /** The sender's signature of the deletion; `content` then holds no ciphertext. */
  deletion: string | null
}
