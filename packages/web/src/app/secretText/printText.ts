import './printText.css'

const className = 'printed-text'

/** Whether `printText` is printing. The deterrents do not report what the user prints on purpose. */
export const isPrintingText = (): boolean => document.querySelector(`.${className}`) !== null

/** Prints this text alone, in place of the page. */
export function printText(text: string): void {
  const sheet = document.createElement('pre')
  sheet.className = className
  sheet.textContent = text
  addEventListener('afterprint', () => sheet.remove(), { once: true })
  document.body.append(sheet)
  window.print()
}
