/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.columnar.buffer;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Base64;
import java.util.Map;

/** Strings that say a value of another type. */
final class TextValue {
    private static final Map<String, Double> NOT_FINITE =
            Map.of("NaN", Double.NaN, "Infinity", Double.POSITIVE_INFINITY, "-Infinity", Double.NEGATIVE_INFINITY);

    private TextValue() {}

    /** Puts what the text says to a column that holds no strings. */
    static void put(RecordAppender record, int column, String text) throws BadRecordException {
        switch (record.column(column).type().kind()) {
            case DATE, TIMESTAMP, TIMESTAMP_NTZ, TIMESTAMP_NS, TIME_NS -> record.putIsoTime(column, text);
            case BINARY -> putBase64(record, column, text);
            case BOOLEAN -> {
                if (!text.equals("true") && !text.equals("false")) {
                    throw record.bad(column, "'" + text + "'", "is neither true nor false");
                }
                record.putBoolean(column, text.equals("true"));
            }
            case TINYINT, SMALLINT, INT, LONG, FLOAT, DOUBLE, DECIMAL -> putNumber(record, column, text);
            case LIST, STRUCT, MAP -> throw record.bad(column, "'" + text + "'", "is a text");
            case STRING -> throw new IllegalStateException("strings are put as they are");
        }
    }

    /** JSON has no bytes: writers give them as Base64, as Connect's own JSON and that of Protobuf have it. */
    private static void putBase64(RecordAppender record, int column, String text) throws BadRecordException {
        try {
            byte[] bytes = Base64.getDecoder().decode(text);
            record.putBytes(column, bytes, 0, bytes.length);
        } catch (IllegalArgumentException e) {
            throw record.bad(column, "'" + text + "'", "is not Base64, which is how a text says bytes");
        }
    }

    private static void putNumber(RecordAppender record, int column, String text) throws BadRecordException {
        Double notFinite = NOT_FINITE.get(text);
        if (notFinite != null) {
            record.putDouble(column, notFinite);
        } else if (!NumberText.isNumber(text)) {
            throw record.bad(column, "'" + text + "'", "is not a number");
        } else if (NumberText.isWhole(text)) {
            record.putWhole(column, new BigInteger(text));
        } else if (Double.parseDouble(text) == 0 && record.column(column).type().isFloating()) {
            record.putDouble(column, Double.parseDouble(text)); // a decimal has no zero with a sign
        } else {
            record.putDecimal(column, new BigDecimal(text));
        }
    }
}
