import { FileLock, Hourglass, LockKeyhole } from 'lucide-react'
import { dashboardTexts as texts } from '../texts.ts'
import './assure.css'

const icons = [LockKeyhole, Hourglass, FileLock]

/** Three assurances, below the chat or, on phones, below the list. */
export function Assurances() {
  return (
    <div className="assure">
      {texts.assurances.map(({ title, text }, i) => {
        const Icon = icons[i] ?? LockKeyhole
        return (
          <p key={title}>
            <Icon className="ic" />
            <span className="w">
              <b>{title}</b>
              <span>{text}</span>
            </span>
          </p>
        )
      })}
    </div>
  )
}
