import './entryDetails.css'

/** Of an entry of a log: its serialized details, and where it came from. */
export function EntryDetails({ text, from }: { text: string; from: string | undefined }) {
  return (
    <span className="entry-details">
      <code>{text}</code>
      {from && <span className="entry-from">{from}</span>}
    </span>
  )
}
