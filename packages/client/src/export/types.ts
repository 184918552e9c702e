import type { Connection, Participant } from '@privity/contract/connections'
import type { AccountExport } from '@privity/contract/privacy'
import type { UserMessage } from '../transport/callError.ts'
import type { DecryptedMessage, Trust } from '../types.ts'

/** The progress of an export. */
export interface ExportProgress {
  conversations: number
  /** The number of conversations. */
  of: number
  messages: number
}

export interface ExportFacts {
  madeAt: number
  username: string
  conversations: number
  messages: number
  files: number
}

/** The words in the readable files; the JSON files need no language. */
export interface ExportTexts {
  /** A BCP 47 tag. */
  language: string
  readme(facts: ExportFacts): string
  conversationWith(name: string): string
  madeAt(time: string): string
  you: string
  empty: string
  file(name: string, bytes: number): string
  /** Why a message cannot be shown. */
  unreadable(reason: UserMessage): string
  deleted: string
  time(time: number): string
}

export interface ExportOptions {
  texts: ExportTexts
  signal: AbortSignal
  onProgress?: (progress: ExportProgress) => void
}

export interface ExportFile {
  /** privity-export-USERNAME-2026-01-31.zip */
  name: string
  content: Blob
  facts: ExportFacts
  /** Whether the server sends an email notice. */
  mailed: boolean
}

/** One connection with its messages that have not expired. */
export interface Conversation {
  connection: Connection
  party: Participant
  /** Undefined where the contact's keys are missing or refused. */
  trust: Trust | undefined
  /** Oldest first. */
  messages: DecryptedMessage[]
  /** Typed on this device and not sent. */
  draft: string
}

export interface ExportData {
  account: AccountExport
  conversations: Conversation[]
}
