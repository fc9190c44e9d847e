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
package org.hadoopmpsr.core.stats;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/** Where the pieces of sorted rows end, as pages do: with the last row of a run of equal values, as far as that can be. */
public final class RunEnds {
    private int[] ends = new int[16];
    private int count;

    private RunEnds() {}

    /**
     * The places where pieces end, exclusive, the last at the end of the rows. The rows of a run lie in one piece, or, when they are too
     * many for that, in pieces of their own and of even length.
     *
     * @param from the first row
     * @param to the end of the rows, exclusive
     * @param runEnd the end of the run that begins at a row, exclusive
     * @param shared runs with more rows do not share a piece with others
     * @param most how many rows a piece may have
     */
    public static int[] of(int from, int to, IntUnaryOperator runEnd, int shared, int most) {
        RunEnds ends = new RunEnds();
        int piece = from;
        int next;
        for (int run = piece; run < to; run = next) {
            next = runEnd.applyAsInt(run);
            boolean alone = next - run > shared;
            if (run > piece && (alone || next - piece > most)) {
                ends.add(run);
                piece = run;
            }
            if (alone) {
                ends.divide(run, next, most);
                piece = next;
            }
        }
        if (piece < to) {
            ends.add(to);
        }
        return Arrays.copyOf(ends.ends, ends.count);
    }

    private void divide(int from, int to, int most) {
        int rows = to - from;
        int pieces = (rows - 1) / most + 1;
        for (int piece = 1; piece <= pieces; piece++) {
            add(from + (int) ((long) rows * piece / pieces));
        }
    }

    private void add(int end) {
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, count * 2);
        }
        ends[count++] = end;
    }
}
