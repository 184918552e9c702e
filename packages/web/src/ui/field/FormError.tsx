import { CircleAlert } from 'lucide-react'
import '../panel/panel.css'

/** Why a form was refused, beside what was typed; read out when it appears. `title` says of what. */
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
