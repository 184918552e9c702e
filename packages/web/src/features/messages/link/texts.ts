export const linkTexts = {
  title: 'Open this address?',
  lead: 'It opens in a new tab, outside Privity.',
  address: 'Address',
  website: 'Website',
  plain: 'The same name in plain letters',
  international: 'The name has letters beyond a to z. They can look like the letters of another name.',
  user: 'What stands before the @ is not the website.',
  open: 'Open',
}
