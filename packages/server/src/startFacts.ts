/** Facts that a person needs at the start; secrets are included only at the start that created them. */
export interface StartFacts {
  type: 'started'
  url: string
  dataDir: string
  demo: { username: string; password: string; other: { username: string; password: string } } | undefined
  founder: { username: string; password: string | undefined }
  /** Single-use: the account that signs up with it becomes super_admin. */
  invitation: string | undefined
}
