export interface PreferencesRow {
  user_id: string
  /** JSON: the values that were chosen; any other preference has its default. */
  chosen: string
}
