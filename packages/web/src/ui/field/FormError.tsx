import { CircleAlert } from 'lucide-react'
import '../panel/panel.css'

/** Error of a whole form, announced when it appears. `title` names what failed. */
export function FormError({ message, title }: { message: string | undefined; title?: string }) {
  if (message === undefined) return null
  return (
    <div className="alert alert-critical" role="alert">
      <CircleAlert className="ic" />
      <span>
        {title !== undefined && <b>{title}. </b>}
        {message}
      </span>
    </div>
  )
}
