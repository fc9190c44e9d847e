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
package org.hadoopmpsr.core.transform;

import java.util.Locale;
import java.util.StringJoiner;
import org.hadoopmpsr.core.text.CommaList;

/**
 * How far from the values of a column may be what a reader gets of it. Both limits hold. Null, infinite numbers and NaN stay what they are;
 * and numbers nearer to zero than the least normal one may differ by a part of that.
 *
 * @param absolute the greatest difference; infinite if there is no such limit
 * @param relative the greatest difference as a part of the value, below 1; infinite if there is no such limit
 */
public record Accuracy(double absolute, double relative) {
    /** The values themselves. */
    public static final Accuracy EXACT = new Accuracy(0, 0);

    private static final int MOST_BITS = 52;

    /** Twice the least normal {@code float}: the relative error of lesser numbers is a part of that at most. */
    private static final double NEXT_TO_ZERO = 0x1p-125;

    private static final String FORMS =
            "write abs=0.01 for the greatest difference, rel=0.001 for it as a part of the value, bits=9 for"
                    + " significant bits, or exact";

    public Accuracy {
        if (!(absolute >= 0 && relative >= 0)) {
            throw new IllegalArgumentException(
                    "an accuracy of " + absolute + " and " + relative + "; state positive limits");
        }
    }

    /** A greatest difference. */
    public static Accuracy ofAbsolute(double error) {
        return new Accuracy(error, Double.POSITIVE_INFINITY);
    }

    /** A greatest difference as a part of the value. */
    public static Accuracy ofRelative(double error) {
        return new Accuracy(Double.POSITIVE_INFINITY, error);
    }

    /**
     * Reads {@code abs=0.01}, {@code rel=0.001}, {@code bits=9} or {@code exact}; several, with commas between them, must all be kept.
     *
     * @throws IllegalArgumentException if the text is none of these; the message says what to write
     */
    public static Accuracy parse(String text) {
        Accuracy all = null;
        for (String part : CommaList.of(text)) {
            Accuracy one = one(part.strip().toLowerCase(Locale.ROOT), text);
            all = all == null ? one : all.and(one);
        }
        if (all == null) {
            throw wrong(text);
        }
        return all;
    }

    private static Accuracy one(String part, String text) {
        if (part.equals("exact")) {
            return EXACT;
        }
        int equals = part.indexOf('=');
        String kind = equals < 0 ? "" : part.substring(0, equals).strip();
        double number = number(part.substring(equals + 1).strip(), text);
        return switch (kind) {
            case "abs" -> ofAbsolute(positive(number, Double.MAX_VALUE, text));
            case "rel" -> ofRelative(positive(number, Math.nextDown(1.0), text));
            case "bits" -> {
                if (number != Math.rint(number) || number < 1 || number > MOST_BITS) {
                    throw wrong(text);
                }
                yield ofRelative(Math.scalb(1.0, -(int) number));
            }
            default -> throw wrong(text);
        };
    }

    private static double number(String number, String text) {
        try {
            return Double.parseDouble(number);
        } catch (NumberFormatException e) {
            throw wrong(text);
        }
    }

    private static double positive(double number, double most, String text) {
        if (!(number > 0 && number <= most)) {
            throw wrong(text);
        }
        return number;
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException("'" + text.strip() + "' is no accuracy: " + FORMS);
    }

    /** Whether only the values themselves will do. */
    public boolean isExact() {
        return absolute == 0 || relative == 0;
    }

    /** Keeps the limits of both. */
    public Accuracy and(Accuracy other) {
        return new Accuracy(Math.min(absolute, other.absolute), Math.min(relative, other.relative));
    }

    /**
     * Whether what a level gives lies within these limits.
     *
     * @param magnitude no value that is neither infinite nor NaN has a greater magnitude; infinite if that is not known
     */
    public boolean isMetBy(ReadLevel level, double magnitude) {
        return switch (level.kind()) {
            case EXACT -> true;
            case ABSOLUTE -> level.error() <= absolute && relative == Double.POSITIVE_INFINITY;
            case RELATIVE ->
                level.error() <= relative
                        && (absolute == Double.POSITIVE_INFINITY
                                // next: the product may have been rounded down
                                || Math.nextUp(level.error() * Math.max(magnitude, NEXT_TO_ZERO)) <= absolute);
        };
    }

    /** As {@link #parse} reads it. */
    public String text() {
        if (isExact()) {
            return "exact";
        }
        StringJoiner limits = new StringJoiner(",");
        if (absolute < Double.POSITIVE_INFINITY) {
            limits.add("abs=" + absolute);
        }
        if (relative < Double.POSITIVE_INFINITY) {
            limits.add("rel=" + relative);
        }
        return limits.toString();
    }
}
