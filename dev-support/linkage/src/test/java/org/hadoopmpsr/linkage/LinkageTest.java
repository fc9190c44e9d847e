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
package org.hadoopmpsr.linkage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A jar against two versions of a library. */
class LinkageTest {
    private static final String USER = "package user; class User extends lib.Base implements lib.Role {"
            + " public String toString() { return super.toString(); } public int made() { return lib.Tool.add(1) + new lib.Tool().size + new lib.Tool().say(\"a\").length(); }"
            + " Runnable later() { return lib.Tool::run; } Object[] all() { return new lib.Gone[0]; } }";

    private static final Predicate<String> USERS = name -> name.startsWith("user/");

    @TempDir
    Path directory;

    private Path user;

    @BeforeEach
    void build() throws IOException {
        Path before = library(
                "before",
                "public static int add(int n) { return n; } public int size;"
                        + " public String say(String s) { return s; } public static void run() {}",
                "public int made();");
        Files.writeString(directory.resolve("User.java"), USER);
        user = jar("user", List.of(directory.resolve("User.java")), before);
    }

    @Test
    void theLibraryItWasBuiltWithHasAll() throws IOException {
        assertThat(Linkage.problems(user, USERS, List.of(directory.resolve("before.jar")), Jdk.RUNNING))
                .isEmpty();
    }

    @Test
    void whatAnotherVersionLacksIsTold() throws IOException {
        Path after = library(
                "after",
                "public static long add(long n) { return n; } public static int size;"
                        + " public String say(CharSequence s) { return \"\"; } public static void run(int n) {}",
                "public int made(); void more();");
        assertThat(Linkage.problems(user, USERS, List.of(after), Jdk.RUNNING).stream()
                        .map(p -> p.replaceAll(" \\(used by .*", "")))
                .containsExactlyInAnyOrder(
                        "field lib.Tool.size I is static",
                        "no method lib.Tool.add (I)I",
                        "no method lib.Tool.run ()V",
                        "no method lib.Tool.say (Ljava/lang/String;)Ljava/lang/String;",
                        "user.User does not implement more()V");
    }

    @Test
    void aMethodThatHasBecomeFinalIsTold() throws IOException {
        Path after = jar(
                "after",
                sources("after", List.of("public class Base { public final String toString() { return \"\"; } }")));
        assertThat(Linkage.problems(user, USERS, List.of(after, directory.resolve("before.jar")), Jdk.RUNNING))
                .containsExactly("user.User overrides the final toString()Ljava/lang/String; (used by user.User)");
    }

    @Test
    void aMissingClassIsTold() throws IOException {
        assertThat(Linkage.problems(user, USERS, List.of(), Jdk.RUNNING))
                .contains("no class lib.Base (used by user.User)");
    }

    @Test
    void aMethodThatAnOlderJavaLacksIsTold() throws IOException {
        Files.writeString(
                directory.resolve("Newer.java"),
                "package user; class Newer { static int count(String text, java.util.List<String> all) {"
                        + " return text.isBlank() ? 0 : text.formatted(all.stream().toList()).indent(2).length(); } }");
        Path newer = jar("newer", List.of(directory.resolve("Newer.java")));
        assertThat(Linkage.problems(newer, USERS, List.of(), Jdk.RUNNING)).isEmpty();
        assertThat(problemsOn(11, newer))
                .containsExactly(
                        "no method java.lang.String.formatted ([Ljava/lang/Object;)Ljava/lang/String; (used by user.Newer.count)",
                        "no method java.lang.String.indent (I)Ljava/lang/String; (used by user.Newer.count)",
                        "no method java.util.stream.Stream.toList ()Ljava/util/List; (used by user.Newer.count)");
        assertThat(problemsOn(8, newer))
                .hasSize(4)
                .contains("no method java.lang.String.isBlank ()Z (used by user.Newer.count)");
        assertThat(problemsOn(Runtime.version().feature(), newer)).isEmpty();
    }

    private static List<String> problemsOn(int release, Path jar) throws IOException {
        try (Jdk jdk = Jdk.of(release)) {
            return Linkage.problems(jar, USERS, List.of(), jdk);
        }
    }

    @Test
    void internalClassesOfAnOlderJavaAreThoseOfThisOne() throws IOException {
        try (Jdk jdk = Jdk.of(11)) {
            assertThat(jdk.open("sun/nio/ch/DirectBuffer")).isNotNull();
            assertThat(jdk.open("sun/misc/Unsafe")).isNotNull();
            assertThat(jdk.open("java/util/HexFormat")).isNull();
            assertThat(jdk.open("java/util/random/RandomGenerator")).isNull();
        }
    }

    @Test
    void aClassThatHasBecomeAnInterfaceIsTold() throws IOException {
        Path after = jar(
                "after",
                sources(
                        "after",
                        List.of(
                                "public interface Tool {}",
                                "public interface Base {}",
                                "public class Role {}",
                                "public class Gone {}")));
        assertThat(Linkage.problems(user, USERS, List.of(after), Jdk.RUNNING))
                .contains("lib.Base is an interface or final, and is extended (used by user.User)")
                .contains("lib.Role is a class, and is implemented (used by user.User)");
    }

    private Path library(String name, String tool, String role) throws IOException {
        return jar(
                name,
                sources(
                        name,
                        List.of(
                                "public class Tool { " + tool + " }",
                                "public class Base {}",
                                "public interface Role { " + role + " }",
                                "public class Gone {}")));
    }

    private List<Path> sources(String name, List<String> classes) throws IOException {
        List<Path> files = new ArrayList<>();
        for (String text : classes) {
            Path file = directory.resolve(name).resolve(text.split(" ")[2] + ".java");
            Files.createDirectories(file.getParent());
            Files.writeString(file, "package lib; " + text);
            files.add(file);
        }
        return files;
    }

    private Path jar(String name, List<Path> sources, Path... classPath) throws IOException {
        return TestJar.of(directory, name, sources, classPath);
    }
}
