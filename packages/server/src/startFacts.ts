/** What whoever starts the server needs to tell a person; secrets appear at the start that made them only. */
export interface StartFacts {
  type: 'started'
  url: string
  dataDir: string
  demo: { username: string; password: string; other: { username: string; password: string } } | undefined
  founder: { username: string; password: string | undefined }
  /** Single-use: makes whoever signs up with it super_admin. */
  invitation: string | undefined
}
