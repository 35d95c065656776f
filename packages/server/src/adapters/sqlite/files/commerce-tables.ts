// The migrations that add carts and orders, and pack the lines of carts. A part of `migrations.ts`.

export const commerceTables = `
  CREATE TABLE carts (
    principal_id TEXT PRIMARY KEY,
    expires_at INTEGER NOT NULL,
    cart TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX carts_in_order ON carts (expires_at);
  CREATE TABLE orders (
    id TEXT PRIMARY KEY,
    principal_id TEXT NOT NULL,
    -- The idempotency key of the checkout.
    placed_by TEXT NOT NULL,
    placed_at INTEGER NOT NULL,
    placed TEXT NOT NULL,
    UNIQUE (principal_id, placed_by)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX orders_of_principal ON orders (principal_id, placed_at, id);
  CREATE INDEX orders_in_order ON orders (placed_at);
`

/** The lines of a cart were objects. */
export const packedCarts = `
  UPDATE carts SET cart = json_set(cart, '$.lines', json((
    SELECT json_group_array(json_array(
      line.value ->> 'productId', line.value ->> 'volume', line.value ->> 'quantity', line.value ->> 'seenYen'
    )) FROM json_each(cart, '$.lines') AS line)))
  WHERE json_valid(cart);
`
