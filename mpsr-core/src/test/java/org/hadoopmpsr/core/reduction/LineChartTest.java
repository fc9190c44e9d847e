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
package org.hadoopmpsr.core.reduction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.hadoopmpsr.core.Seeds;
import org.junit.jupiter.api.Test;

class LineChartTest {
    private static final int RUNS = Integer.getInteger("mpsr.reductions", 200);
    private static final Comparator<Point> IN_TIME =
            Comparator.comparingLong(Point::time).thenComparingLong(Point::value);
    private static final Comparator<Point> IN_VALUE =
            Comparator.comparingLong(Point::value).thenComparingLong(Point::time);

    /** As the paper's query says it: of each column four aggregates. */
    private static List<Point> expected(PixelColumns columns, List<Point> points) {
        Map<Integer, List<Point>> cells = new TreeMap<>();
        points.stream()
                .filter(p -> columns.contains(p.time()))
                .forEach(p -> cells.computeIfAbsent(columns.columnOf(p.time()), c -> new ArrayList<>())
                        .add(p));
        return cells.values().stream()
                .flatMap(cell -> Stream.of(
                        Collections.min(cell, IN_TIME),
                        Collections.max(cell, IN_TIME),
                        Collections.min(cell, IN_VALUE),
                        Collections.max(cell, IN_VALUE)))
                .distinct()
                .sorted(IN_TIME)
                .toList();
    }

    private static LineChart of(PixelColumns columns, List<Point> points) {
        LineChart chart = new LineChart(columns);
        points.forEach(p -> chart.add(p.time(), p.value()));
        return chart;
    }

    @Test
    void anySplitShowsTheSamePoints() {
        Seeds.forAll(RUNS, random -> {
            long begin = random.nextInt(10) == 0 ? Long.MIN_VALUE : random.nextInt(100) - 50;
            long end = random.nextInt(10) == 0 ? Long.MAX_VALUE : random.nextInt(100) + 51;
            PixelColumns columns = new PixelColumns(begin, end, 1 + random.nextInt(20));
            List<Point> points = new ArrayList<>();
            for (int i = random.nextInt(100); i > 0; i--) {
                long time = random.nextInt(20) == 0 ? random.nextLong() : random.nextInt(240) - 120;
                points.add(new Point(time, random.nextInt(9) - 4));
            }
            List<LineChart> parts = new ArrayList<>();
            for (int i = 0; i <= random.nextInt(4); i++) {
                parts.add(new LineChart(columns));
            }
            points.forEach(p -> parts.get(random.nextInt(parts.size())).add(p.time(), p.value()));
            LineChart merged = merged(random, columns, parts);
            assertThat(merged.points()).isEqualTo(expected(columns, points));
            Collections.shuffle(points, random);
            assertThat(of(columns, points).points()).isEqualTo(merged.points());
        });
    }

    private static LineChart merged(Random random, PixelColumns columns, List<LineChart> parts) {
        while (parts.size() > 1) {
            LineChart one = parts.remove(random.nextInt(parts.size()));
            LineChart other = parts.get(random.nextInt(parts.size()));
            other.merge(random.nextBoolean() ? one : LineChart.read(columns, ByteBuffer.wrap(one.toBytes())));
        }
        return parts.get(0);
    }

    /** The Python client's tests read the same file. */
    @Test
    void thePointsAreThoseOfThePythonClient() throws IOException {
        List<String> lines = new ArrayList<>();
        try (InputStream in = LineChartTest.class.getResourceAsStream("/reduction/line-charts.txt")) {
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .forEach(lines::add);
        }
        assertThat(lines).hasSizeGreaterThan(60);
        for (int i = 0; i < lines.size(); i += 3) {
            String[] range = lines.get(i).split(" ");
            PixelColumns columns =
                    new PixelColumns(Long.parseLong(range[0]), Long.parseLong(range[1]), Integer.parseInt(range[2]));
            assertThat(of(columns, points(lines.get(i + 1))).points())
                    .as(lines.get(i))
                    .isEqualTo(points(lines.get(i + 2)));
        }
    }

    private static List<Point> points(String line) {
        return Stream.of(line.split(" "))
                .filter(text -> !text.equals("-") && !text.endsWith(":nan"))
                .map(text -> {
                    int colon = text.indexOf(':');
                    String value = text.substring(colon + 1).replace("inf", "Infinity");
                    return new Point(
                            Long.parseLong(text.substring(0, colon)), ValueOrder.of(Double.parseDouble(value)));
                })
                .toList();
    }

    @Test
    void columnsHaveWholeUnits() {
        PixelColumns columns = new PixelColumns(10, 20, 4);
        assertThat(columns.unit()).isEqualTo(3);
        assertThat(columns.columnOf(10)).isZero();
        assertThat(columns.columnOf(12)).isZero();
        assertThat(columns.columnOf(13)).isEqualTo(1);
        assertThat(columns.columnOf(19)).isEqualTo(3);
        assertThat(columns.beginOf(3)).isEqualTo(19);
        assertThat(columns.contains(20)).isFalse();
        PixelColumns all = new PixelColumns(Long.MIN_VALUE, Long.MAX_VALUE, 3);
        assertThat(all.columnOf(Long.MIN_VALUE)).isZero();
        assertThat(all.columnOf(Long.MAX_VALUE - 1)).isEqualTo(2);
        assertThat(new PixelColumns(0, 1, 1000).columnOf(0)).isZero();
    }

    @Test
    void otherRangesAndWidthsAreRefused() {
        assertThatThrownBy(() -> new PixelColumns(5, 5, 1)).hasMessageContaining("give a later end");
        assertThatThrownBy(() -> new PixelColumns(0, 5, 0)).hasMessageContaining("the width is 0; give one from 1");
        assertThatThrownBy(() -> new PixelColumns(0, 5, 100_001)).hasMessageContaining("the width is 100001");
        LineChart chart = new LineChart(new PixelColumns(0, 5, 1));
        assertThatThrownBy(() -> chart.merge(new LineChart(new PixelColumns(0, 5, 2))))
                .hasMessageContaining("is no part of");
        assertThat(chart.points()).isEmpty();
    }
}
