export interface EpochRow {
  user_id: string
  n: number
  public_key: string
  created_at: number
  previous_hash: string
  signature: string
  /** at rest */
  wrapped_seed: string
  superseded_at: number | null
  /** at rest; the account key of which this epoch is the last */
  wrapped_former_key: string | null
}
