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
package org.hadoopmpsr.downgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.jar.JarFile;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.hadoopmpsr.linkage.TestJar;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Classes that run as before after they were changed, and such as cannot be changed. */
class DowngradeTest {
    private static final String VALUES = """
            package user;
            import java.io.*;
            import java.util.*;
            import java.util.function.*;
            import java.util.stream.*;
            public class Values implements Function<Long, Object> {
                sealed interface Shape permits Dot, Named {}
                record Dot() implements Shape {}
                record Named(String name) implements Shape, Serializable {
                    Named { if (name == null) throw new IllegalArgumentException("no name"); }
                    @Override public String toString() { return "I am " + name; }
                }
                record Versioned(int n) implements Serializable { private static final long serialVersionUID = 7; }
                public record All<T>(boolean z, byte b, short s, char c, int i, long j, float f, double d, T t, int[] a, Shape shape)
                        implements Serializable {}
                enum Kind { A, B { @Override int n() { return 2; } }; int n() { return 1; } }
                private interface Says { private String said(int n) { return "says " + n; } default Supplier<String> later(int n) { return () -> said(n); } }
                private static final class Hidden implements Says {
                    private final long n; private final Object o;
                    private Hidden(long n, Object o) { this.n = n; this.o = o; }
                    private long sum(Integer i, double d) { return n + i + (long) d; }
                    private static Hidden of(long n, Object o) { return new Hidden(n, o); }
                    private void nothing() {}
                    Function<Long, String> outer(Values values) { return values::shown; }
                }
                private String shown(long n) { return "shown " + n; }
                private interface Sum { long of(Hidden h, Integer i, double d); }
                private String functions(long seed) {
                    BiFunction<Long, Object, Hidden> made = Hidden::new;
                    BiFunction<Long, Object, Hidden> also = Hidden::of;
                    Sum sum = Hidden::sum;
                    Hidden hidden = made.apply(seed, "x");
                    Runnable nothing = hidden::nothing;
                    nothing.run();
                    Says says = hidden; IntFunction<String> said = says::said;
                    Function<Long, String> own = this::shown;
                    Supplier<String> lambda = () -> own.apply(1L) + hidden.n + shown(2);
                    return sum.of(also.apply(seed, ""), 3, 4.5) + said.apply(7) + hidden.later(1).get() + hidden.outer(this).apply(9L) + lambda.get();
                }
                @Override public Object apply(Long seed) {
                    Random r = new Random(seed);
                    record Local(Object a, Kind kind) {}
                    double[] odd = {0.0, -0.0, Double.NaN, 1.5, Double.MIN_VALUE};
                    Shape shape = r.nextBoolean() ? new Dot() : new Named("n" + r.nextInt(2));
                    String told = shape instanceof Named named ? named.name() : "dot";
                    All<Object> all = new All<>(r.nextBoolean(), (byte) r.nextInt(2), (short) -r.nextInt(2), (char) ('a' + r.nextInt(2)),
                            r.nextInt(2), r.nextLong(), (float) odd[r.nextInt(5)], odd[r.nextInt(5)],
                            r.nextBoolean() ? null : told, null, shape);
                    var either = r.nextBoolean() ? new Local(all, Kind.B) : new Dot();
                    List<Object> list = Stream.of(1, null, either).map(o -> (Object) o).toList();
                    String kept = "";
                    try { list.add(1); } catch (UnsupportedOperationException e) { kept = " fixed"; }
                    return List.of(all, either, new Versioned(3), list + kept + functions(seed) + switch (Kind.values()[r.nextInt(2)]) { case A -> 1; case B -> 2; });
                }
            }
            """;

    @TempDir
    Path directory;

    @Test
    void theSameValuesHaveTheSameTextHashAndEquality() throws Exception {
        Path before = jar("before", "Values", VALUES);
        Path after = jar("after", "Values", VALUES);
        assertThat(Downgrade.apply(after, List.of())).isEmpty();
        try (URLClassLoader old = loader(before);
                URLClassLoader changed = loader(after)) {
            Function<Long, Object> one = values(old);
            Function<Long, Object> two = values(changed);
            List<List<?>> all = new ArrayList<>();
            List<List<?>> same = new ArrayList<>();
            for (long seed = 0; seed < 300; seed++) {
                List<?> expected = (List<?>) one.apply(seed);
                List<?> found = (List<?>) two.apply(seed);
                assertThat(found).describedAs("seed %d", seed).hasToString(expected.toString());
                // Enums hash by their identity; they are in the second of the values alone
                assertThat(found.get(0).hashCode())
                        .describedAs("seed %d", seed)
                        .isEqualTo(expected.get(0).hashCode());
                assertThat(found).describedAs("seed %d", seed).isEqualTo(two.apply(seed));
                all.add(expected);
                same.add(found);
            }
            Random random = new Random(1);
            for (int pair = 0; pair < 3000; pair++) {
                int a = random.nextInt(all.size());
                int b = random.nextInt(all.size());
                for (int each = 0; each < all.get(a).size(); each++) {
                    assertThat(same.get(a).get(each).equals(same.get(b).get(each)))
                            .describedAs("value %d of seeds %d and %d", each, a, b)
                            .isEqualTo(all.get(a).get(each).equals(all.get(b).get(each)));
                }
            }
            assertThat(same.get(0).get(0)).isNotEqualTo(null).isNotEqualTo("text");
        }
    }

    @Test
    void noClassIsNewerThanJava11OrARecord() throws IOException {
        Path jar = jar("after", "Values", VALUES);
        Downgrade.apply(jar, List.of());
        List<ClassNode> classes = classes(jar);
        assertThat(classes).hasSizeGreaterThan(7).allSatisfy(each -> {
            assertThat(each.version).isEqualTo(Opcodes.V11);
            assertThat(each.superName).isNotEqualTo("java/lang/Record");
            assertThat(each.recordComponents).isNullOrEmpty();
            assertThat(each.permittedSubclasses).isNullOrEmpty();
        });
        assertThat(classes)
                .flatExtracting(each -> each.methods)
                .filteredOn(method -> method.name.equals("equals"))
                .hasSize(5)
                .allSatisfy(method -> assertThat(method.visibleTypeAnnotations)
                        .extracting(annotation -> annotation.desc)
                        .containsExactly("Lorg/jspecify/annotations/Nullable;"));
        assertThat(serialVersion(classes, "user/Values$Named")).isEqualTo(0L);
        assertThat(serialVersion(classes, "user/Values$Versioned")).isEqualTo(7L);
        assertThat(serialVersion(classes, "user/Values$Dot")).isNull();
    }

    @Test
    void aJarThatIsChangedAlreadyStays() throws IOException {
        Path jar = jar("after", "Values", VALUES);
        Downgrade.apply(jar, List.of());
        byte[] once = Files.readAllBytes(jar);
        assertThat(Downgrade.apply(jar, List.of())).isEmpty();
        assertThat(jar).hasBinaryContent(once);
        assertThat(directory.resolve("after.jar.java11")).doesNotExist();
    }

    @Test
    void whatJava11LacksIsToldAndTheJarStays() throws IOException {
        Path jar = jar(
                "newer",
                "Newer",
                "package user; record Newer(String text) { String shown() { return text.formatted(1); }"
                        + " java.util.function.Function<java.util.stream.Stream<?>, Object> lists() { return java.util.stream.Stream::toList; } }");
        byte[] before = Files.readAllBytes(jar);
        assertThat(Downgrade.apply(jar, List.of()))
                .containsExactly(
                        "no method java.lang.String.formatted ([Ljava/lang/Object;)Ljava/lang/String; (used by user.Newer.shown)",
                        "no method java.util.stream.Stream.toList ()Ljava/util/List; (used by user.Newer.lists)");
        assertThat(jar).hasBinaryContent(before);
        assertThat(directory.resolve("newer.jar.java11")).doesNotExist();
    }

    @Test
    void codeThatAsksForRecordsIsRefused() throws IOException {
        for (String question : List.of("o instanceof Record", "o.getClass().getSuperclass() == Record.class")) {
            Path jar = jar(
                    "asks",
                    "Asks",
                    "package user; class Asks { static boolean is(Object o) { return " + question + "; } }");
            assertThatThrownBy(() -> Downgrade.apply(jar, List.of()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("user.Asks.is ")
                    .hasMessageEndingWith(", and on Java 11 no class is a record: ask for a type of your own");
        }
    }

    /** On Java 11 the objects of lambdas have no rights in other classes' private methods, whatever the classes say. */
    @Test
    void functionsNameNoMethodOfAnotherClassOfTheSourceFile() throws IOException {
        Path jar = jar("after", "Values", VALUES);
        assertThat(functions(classes(jar))).anyMatch(each -> each.startsWith("user/Values calls user/Values$Hidden."));
        Downgrade.apply(jar, List.of());
        assertThat(functions(classes(jar)))
                .contains(
                        "user/Values calls user/Values.bridge$0",
                        "user/Values$Hidden calls user/Values$Hidden.bridge$0")
                .allSatisfy(each -> {
                    String[] words = each.split(" calls ");
                    assertThat(words[1]).startsWith(words[0] + ".");
                });
    }

    private static List<String> functions(List<ClassNode> classes) {
        List<String> all = new ArrayList<>();
        for (ClassNode each : classes) {
            for (MethodNode method : each.methods) {
                for (AbstractInsnNode instruction : method.instructions) {
                    if (instruction instanceof InvokeDynamicInsnNode dynamic
                            && dynamic.bsmArgs.length > 1
                            && dynamic.bsmArgs[1] instanceof Handle handle
                            && handle.getOwner().startsWith("user/")) {
                        all.add(each.name + " calls " + handle.getOwner() + "." + handle.getName());
                    }
                }
            }
        }
        return all;
    }

    @Test
    void beansShowTheComponentsOfRecordsByTheSameNames() throws Exception {
        Path bean = directory.resolve("ShownMXBean.java");
        Files.writeString(bean, """
                package user;
                import java.util.List;
                public interface ShownMXBean {
                    record Part(double size, String shownName) {}
                    record Row(String name, boolean open, long usedBytes, List<Part> parts) {}
                    List<Row> getRows();
                }
                """);
        Path source = directory.resolve("Shown.java");
        Files.writeString(source, """
                package user;
                import java.util.List;
                public class Shown implements ShownMXBean {
                    @Override public List<Row> getRows() { return List.of(new Row("a", true, 7, List.of(new Part(1.5, "x")))); }
                }
                """);
        Path jar = TestJar.of(directory, "beans", List.of(bean, source));
        Downgrade.apply(jar, List.of());
        try (URLClassLoader changed = loader(jar)) {
            Object shown =
                    changed.loadClass("user.Shown").getDeclaredConstructor().newInstance();
            MBeanServer server = MBeanServerFactory.newMBeanServer();
            ObjectName name = new ObjectName("test:name=shown");
            server.registerMBean(shown, name);
            CompositeData row = ((CompositeData[]) server.getAttribute(name, "Rows"))[0];
            assertThat(row.getCompositeType().keySet()).containsExactly("name", "open", "parts", "usedBytes");
            assertThat(row.getAll(new String[] {"name", "open", "usedBytes"})).containsExactly("a", true, 7L);
            CompositeData part = ((CompositeData[]) row.get("parts"))[0];
            assertThat(part.getAll(new String[] {"size", "shownName"})).containsExactly(1.5, "x");
        }
    }

    @Test
    void aRecordWhoseComponentsBeansWouldRenameIsRefused() throws IOException {
        Path jar = jar("named", "NamedMXBean", "package user; interface NamedMXBean { record Row(boolean isOpen) {} }");
        assertThatThrownBy(() -> Downgrade.apply(jar, List.of()))
                .hasMessageStartingWith(
                        "user/NamedMXBean$Row has the component isOpen, which beans show by another name");
    }

    @Test
    void aFunctionThatMayBeSerializedIsRefused() throws IOException {
        Path jar = jar(
                "kept",
                "Kept",
                "package user; class Kept { interface Made extends java.io.Serializable { Object of(); } static class Inner {}"
                        + " Made made = Inner::new; }");
        assertThatThrownBy(() -> Downgrade.apply(jar, List.of()))
                .hasMessage("user.Kept.<init> makes an object with several types, which may be serialized,"
                        + " of user/Kept$Inner::<init>: write a lambda");
    }

    @Test
    void membersKeepTheirRights() throws Exception {
        Path jar = jar("after", "Values", VALUES);
        Downgrade.apply(jar, List.of());
        try (URLClassLoader changed = loader(jar)) {
            Class<?> all = changed.loadClass("user.Values$All");
            assertThat(Modifier.isFinal(all.getModifiers())).isTrue();
            assertThat(all.getMethod("i").getReturnType()).isEqualTo(int.class);
            assertThat(all.getDeclaredConstructors()).hasSize(1);
            assertThat(all.isRecord()).isFalse();
        }
    }

    private Path jar(String name, String type, String text) throws IOException {
        Path source = directory.resolve(type + ".java");
        Files.writeString(source, text);
        return TestJar.of(directory, name, List.of(source));
    }

    private static URLClassLoader loader(Path jar) throws IOException {
        return new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
    }

    @SuppressWarnings("unchecked")
    private static Function<Long, Object> values(ClassLoader loader) throws ReflectiveOperationException {
        return (Function<Long, Object>)
                loader.loadClass("user.Values").getDeclaredConstructor().newInstance();
    }

    private static Object serialVersion(List<ClassNode> classes, String name) {
        return classes.stream()
                .filter(each -> each.name.equals(name))
                .flatMap(each -> each.fields.stream())
                .filter(field -> field.name.equals("serialVersionUID"))
                .map(field -> field.value)
                .findFirst()
                .orElse(null);
    }

    private static List<ClassNode> classes(Path jar) throws IOException {
        List<ClassNode> all = new ArrayList<>();
        try (JarFile file = new JarFile(jar.toFile())) {
            for (var entry : file.stream().toList()) {
                try (InputStream in = file.getInputStream(entry)) {
                    ClassNode node = new ClassNode();
                    new ClassReader(in).accept(node, 0);
                    all.add(node);
                }
            }
        }
        return all;
    }
}
