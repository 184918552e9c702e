import { CircleAlert } from 'lucide-react'
import { Dialog, DialogButtons } from '../../../ui/dialog/Dialog.tsx'
import { leadOf } from './leadOf.ts'
import { linkTexts as texts } from './texts.ts'
import './link.css'

interface LinkQuestionProps {
  /** The address as it is written in the message. */
  text: string
  href: string
  onClose: () => void
}

/** Shows where a link leads before it opens. */
export function LinkQuestion({ text, href, onClose }: LinkQuestionProps) {
  const { website, plain, hasUser } = leadOf(text, href)
  function open() {
    window.open(href, '_blank', 'noopener,noreferrer')
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      title={texts.title}
      description={texts.lead}
      footer={<DialogButtons label={texts.open} onConfirm={open} onCancel={onClose} />}
    >
      <dl className="link-facts">
        <dt>{texts.address}</dt>
        <dd dir="ltr">{text}</dd>
        <dt>{texts.website}</dt>
        <dd dir="ltr">
          <b>{website}</b>
        </dd>
        {plain !== undefined && plain !== website && (
          <>
            <dt>{texts.plain}</dt>
            <dd dir="ltr">
              <b>{plain}</b>
            </dd>
          </>
        )}
      </dl>
      {plain !== undefined && <Caution words={texts.international} />}
      {hasUser && <Caution words={texts.user} />}
    </Dialog>
  )
}

function Caution({ words }: { words: string }) {
  return (
    <p className="alert alert-line alert-warning">
      <CircleAlert className="ic" />
      <span>{words}</span>
    </p>
  )
}
