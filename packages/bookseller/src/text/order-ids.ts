// The ids that the store gives to orders ("order_Isjr9ddGhCbo2XmWR3EXmr"), wherever they stand in a message. They are words of no
// language.
const ORDER_ID = /(?<![\p{Script=Latin}\p{N}_])order_[A-Za-z0-9]{6,64}/gu

/** The first one, as it was written. */
export const orderIdIn = (text: string): string | undefined => text.match(ORDER_ID)?.[0]

export const withoutOrderIds = (text: string): string => text.replaceAll(ORDER_ID, ' ')

/** As long as before, and written as shoppers write a number: a model that learned from their words splits an id into pieces. */
export const withPlainNumbers = (text: string): string =>
  text.replaceAll(ORDER_ID, (id) => 'order 123456'.padEnd(id.length))
