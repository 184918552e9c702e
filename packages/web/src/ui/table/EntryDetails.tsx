import './entryDetails.css'

/** Serialized details of a log entry, and its origin. */
export function EntryDetails({ text, from }: { text: string; from: string | undefined }) {
  return (
    <span className="entry-details">
      <code>{text}</code>
      {from && <span className="entry-from">{from}</span>}
    </span>
  )
}
