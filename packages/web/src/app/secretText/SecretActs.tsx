import { Download, Printer } from 'lucide-react'
import { saveBlob } from '../../browser/download.ts'
import { Button } from '../../ui/button/Button.tsx'
import { useCopy } from '../useCopy.tsx'
import { printText } from './printText.ts'

interface SecretActsProps {
  secret: string
  /** The file to download; its text is also printed. */
  file: { name: string; text: string }
  texts: {
    copy: string
    copied: string
    copiedToast: string
    copyFailed: string
    copyFailedWhy: string
    download: string
    print: string
  }
}

/** Buttons to copy, download or print a secret that is shown once. */
export function SecretActs({ secret, file, texts }: SecretActsProps) {
  const { isCopied, icon, copy } = useCopy({
    copied: texts.copiedToast,
    copyFailed: texts.copyFailed,
    copyFailedHint: texts.copyFailedWhy,
  })
  return (
    <div className="key-acts">
      <Button onClick={() => void copy(secret)}>
        {icon}
        {isCopied ? texts.copied : texts.copy}
      </Button>
      <Button onClick={() => saveBlob(file.name, new Blob([file.text], { type: 'text/plain' }))}>
        <Download className="ic" />
        {texts.download}
      </Button>
      <Button onClick={() => printText(file.text)}>
        <Printer className="ic" />
        {texts.print}
      </Button>
    </div>
  )
}
