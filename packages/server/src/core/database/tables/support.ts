export interface SupportRequestRow {
  id: string
  user_id: string
  /** Id made by the browser that sent it. */
  client_id: string | null
  reference: string
  category: 'general' | 'account' | 'connections' | 'messages' | 'files' | 'security'
  priority: 'low' | 'normal' | 'high' | 'urgent'
  /** at rest */
  subject: string
  /** at rest */
  message: string
  state: 'open' | 'closed'
  created_at: number
  /** When the mail server accepted it; null: not yet, or none is configured. */
  mailed_at: number | null
}
