export interface PreferencesRow {
  user_id: string
  /** JSON: what was chosen; what is not in it is as it is by default. */
  chosen: string
}
