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
package org.hadoopmpsr.columnar.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.IntStream;
import javax.tools.ToolProvider;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.parquet.ColumnarParquetFile;
import org.hadoopmpsr.columnar.parquet.FileColumn;
import org.hadoopmpsr.columnar.parquet.SortedRows;
import org.hadoopmpsr.columnar.read.ColumnFile;
import org.hadoopmpsr.columnar.read.UnsupportedTypeException;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.group.ColumnTransforms;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.transform.TransformName;
import org.hadoopmpsr.core.transform.TransformRegistry;
import org.hadoopmpsr.testing.ParquetRows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transforms of jars that others make are found, written and read; without the jar nobody reads anything else in their place. */
class ForeignTransformTest {
    private static final Column COLUMN = Schema.parse("n bigint").columns().get(0);
    private static final TransformName NAME = new TransformName("negated", 3, "");

    /** Holds whole numbers with all bits turned around. */
    private static final String SOURCE = """
            package foreign;
            import java.util.List;
            import org.hadoopmpsr.core.schema.ColumnType;
            import org.hadoopmpsr.core.transform.*;
            public class Negated implements ColumnTransform, TransformedColumn {
                public String name() { return "negated"; }
                public int version() { return 3; }
                public TransformedColumn of(ColumnType type, String parameters) { return this; }
                public List<PhysicalColumn> columns() { return List.of(new PhysicalColumn("not", ColumnType.LONG)); }
                public void split(int column, long[] values, int count, long[] into) {
                    for (int i = 0; i < count; i++) into[i] = ~values[i];
                }
                public List<ReadLevel> levels() { return List.of(ReadLevel.exact(List.of(0))); }
                public void join(ReadLevel level, long[][] parts, int count, long[] into) {
                    for (int i = 0; i < count; i++) into[i] = ~parts[0][i];
                }
                public List<PhysicalRange> ranges(Object least, Object greatest) { return List.of(); }
            }
            """;

    @TempDir
    private Path dir;

    private URL jar() throws Exception {
        Path source = Files.writeString(
                Files.createDirectories(dir.resolve("foreign")).resolve("Negated.java"), SOURCE);
        int failed = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-cp", System.getProperty("java.class.path"), source.toString());
        assertThat(failed).isZero();
        Path jar = dir.resolve("negated.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out)) {
            entries.putNextEntry(new JarEntry("foreign/Negated.class"));
            entries.write(Files.readAllBytes(dir.resolve("foreign/Negated.class")));
            entries.putNextEntry(new JarEntry("META-INF/services/org.hadoopmpsr.core.transform.ColumnTransform"));
            entries.write("foreign.Negated\n".getBytes(StandardCharsets.UTF_8));
        }
        return jar.toUri().toURL();
    }

    private long[] read(Path file) throws Exception {
        LongVector read = new LongVector();
        read.reserve(10);
        try (ColumnFile opened = ColumnFile.open("f", new LocalInputFile(file), List.of(COLUMN), List.of(read))) {
            assertThat(opened.nextRowGroup()).isEqualTo(10);
            opened.read(0, read, 0, 10);
        }
        assertThat(read.isNull(3)).isTrue();
        return IntStream.range(0, 10)
                .filter(row -> row != 3)
                .mapToLong(row -> read.values()[row])
                .toArray();
    }

    @Test
    void aTransformOfAJarIsWrittenAndRead() throws Exception {
        Path file = dir.resolve("f.parquet");
        LongVector vector = new LongVector();
        vector.reserve(10);
        IntStream.range(0, 10).filter(row -> row != 3).forEach(row -> vector.set(row, row * 1_000_000_000_000L));
        vector.setNull(3, 1);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {jar()}, getClass().getClassLoader())) {
            thread.setContextClassLoader(loader);
            assertThat(TransformRegistry.known()).contains("negated:3", "planes:1");
            ColumnTransforms asked = ColumnTransforms.parse(List.of("n=negated"));
            assertThat(asked.of(Schema.parse("n bigint")).find("N")).hasValue(NAME);
            FileColumn only =
                    new FileColumn(COLUMN, vector, () -> new int[0], false, TransformRegistry.of(NAME, COLUMN.type()));
            try (ColumnarParquetFile out = ColumnarParquetFile.begin(
                    new LocalOutputFile(file),
                    List.of(only),
                    List.of(),
                    Codecs.parse("zstd:3"),
                    Map.of(ValueBits.METADATA + "n", NAME.recorded()))) {
                out.writeAll(new SortedRows(IntStream.range(0, 10).toArray(), 0, 10, null), 10);
                out.finish();
            }
            assertThat(read(file)).startsWith(0, 1_000_000_000_000L).endsWith(9_000_000_000_000L);
            assertThatThrownBy(() -> TransformRegistry.of(new TransformName("negated", 4, ""), COLUMN.type()))
                    .hasMessage(
                            "the transform 'negated' has version 4, and foreign.Negated knows versions up to 3; a newer"
                                    + " one wrote it: use that jar, or a later one");
        } finally {
            thread.setContextClassLoader(before);
        }
        assertThat(ParquetRows.read(file).get(1)).containsOnlyKeys("n$not").containsEntry("n$not", ~1_000_000_000_000L);
        assertThatThrownBy(() -> read(file))
                .isInstanceOf(UnsupportedTypeException.class)
                .hasMessageStartingWith(
                        "f holds the column 'n' as negated;v=3: there is no transform 'negated', only"
                                + " [approximate, decimal, identity, lossy, planes]; for another one put its jar beside that of MPSR");
        assertThat(TransformRegistry.known()).doesNotContain("negated:3");
    }
}
