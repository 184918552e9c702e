import { CircleAlert } from 'lucide-react'
import '../styles/panel.css'

/** Why a form was refused, beside what was typed; read out when it appears. */
export function FormError({ message }: { message: string | undefined }) {
  if (message === undefined) return null
  return (
    <div className="alert alert-critical" role="alert">
      <CircleAlert className="ic" />
      <span>{message}</span>
    </div>
  )
}
