package dev.steadfast.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.steadfast.core.FieldValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;

/** A row as the schema validator sees it. */
final class RowNodes {
  private RowNodes() {}

  /** The fields of the contract that the row has; each must have passed {@link Field#fault}. */
  static ObjectNode of(List<Field> fields, Map<String, FieldValue> row) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    for (Field field : fields) {
      FieldValue value = row.get(field.name());
      if (value != null) {
        node.set(field.name(), of(value));
      }
    }
    return node;
  }

  private static JsonNode of(FieldValue value) {
    if (value instanceof FieldValue.Text text) {
      return TextNode.valueOf(text.text());
    }
    if (value instanceof FieldValue.Bool bool) {
      return BooleanNode.valueOf(bool == FieldValue.Bool.TRUE);
    }
    return of(((FieldValue.Number) value).number());
  }

  /** An integral number becomes an integer node: as a decimal 1e64 would pass a maximum of 100. */
  private static JsonNode of(BigDecimal number) {
    if (!Field.isIntegral(number)) {
      return DecimalNode.valueOf(number);
    }
    BigInteger integer = number.toBigInteger();
    if (integer.bitLength() < Integer.SIZE) {
      return IntNode.valueOf(integer.intValue());
    }
    return integer.bitLength() < Long.SIZE
        ? LongNode.valueOf(integer.longValue())
        : BigIntegerNode.valueOf(integer);
  }
}
