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

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;

/** Finds what classes and their ancestors declare, and says what is not there. */
final class Members {
    /** Methods that the JVM makes for each description. */
    private static final Set<String> OF_ANY_DESCRIPTION =
            Set.of("java/lang/invoke/MethodHandle", "java/lang/invoke/VarHandle");

    private final ClassFiles files;

    Members(ClassFiles files) {
        this.files = files;
    }

    @Nullable
    ClassNode classOf(String name, Set<String> missing) {
        Optional<ClassNode> found = files.find(name);
        if (found.isEmpty()) {
            missing.add("no class " + name.replace('/', '.'));
        }
        return found.orElse(null);
    }

    /** Whether all ancestors are there, and are what the class takes them for. */
    boolean hasAncestors(ClassNode node, Set<String> missing) {
        int before = missing.size();
        if (node.superName != null) {
            ClassNode parent = classOf(node.superName, missing);
            if (parent != null && (is(parent.access, Opcodes.ACC_INTERFACE) || is(parent.access, Opcodes.ACC_FINAL))) {
                missing.add(shown(node.superName) + " is an interface or final, and is extended");
            }
        }
        for (String name : node.interfaces) {
            ClassNode parent = classOf(name, missing);
            if (parent != null && !is(parent.access, Opcodes.ACC_INTERFACE)) {
                missing.add(shown(name) + " is a class, and is implemented");
            }
        }
        return missing.size() == before;
    }

    /** What ancestors leave to a class that can have instances, and it lacks, and what they forbid. */
    void unimplemented(ClassNode node, Set<String> missing) {
        Map<String, MethodNode> methods = new LinkedHashMap<>();
        lineage(node).forEach(ancestor -> {
            boolean isInterface = is(ancestor.access, Opcodes.ACC_INTERFACE);
            for (MethodNode method : ancestor.methods) {
                MethodNode nearer = methods.putIfAbsent(method.name + method.desc, method);
                if (nearer != null && ancestor != node && forbids(method) && node.methods.contains(nearer)) {
                    missing.add(shown(node.name) + " overrides the final " + method.name + method.desc);
                } else if (nearer != null && isInterface && isAbstract(nearer) && !isAbstract(method)) {
                    methods.put(method.name + method.desc, method);
                }
            }
        });
        if (!is(node.access, Opcodes.ACC_ABSTRACT)) {
            methods.values().stream()
                    .filter(Members::isAbstract)
                    .forEach(left -> missing.add(shown(node.name) + " does not implement " + left.name + left.desc));
        }
    }

    private static boolean isAbstract(MethodNode method) {
        return is(method.access, Opcodes.ACC_ABSTRACT);
    }

    private static boolean forbids(MethodNode method) {
        return is(method.access, Opcodes.ACC_FINAL) && !is(method.access, Opcodes.ACC_PRIVATE);
    }

    void method(String owner, String name, String desc, boolean isInterface, boolean isStatic, Set<String> missing) {
        if (owner.startsWith("[")) {
            return;
        }
        ClassNode node = classOf(owner, missing);
        if (node == null || OF_ANY_DESCRIPTION.contains(owner)) {
            return;
        }
        if (is(node.access, Opcodes.ACC_INTERFACE) != isInterface) {
            missing.add(shown(owner) + (isInterface ? " is a class, and is" : " is an interface, and is not")
                    + " called as an interface");
        }
        Optional<MethodNode> found = name.startsWith("<")
                ? node.methods.stream()
                        .filter(m -> m.name.equals(name) && m.desc.equals(desc))
                        .findFirst()
                : withObject(node)
                        .flatMap(c -> c.methods.stream())
                        .filter(m -> m.name.equals(name) && m.desc.equals(desc))
                        .findFirst();
        report("method", owner, name, desc, found.map(m -> m.access), isStatic, missing);
    }

    void field(String owner, String name, String desc, boolean isStatic, Set<String> missing) {
        ClassNode node = classOf(owner, missing);
        if (node != null) {
            Optional<FieldNode> found = lineage(node)
                    .flatMap(c -> c.fields.stream())
                    .filter(f -> f.name.equals(name) && f.desc.equals(desc))
                    .findFirst();
            report("field", owner, name, desc, found.map(f -> f.access), isStatic, missing);
        }
    }

    private static void report(
            String kind,
            String owner,
            String name,
            String desc,
            Optional<Integer> access,
            boolean isStatic,
            Set<String> missing) {
        String member = kind + " " + shown(owner) + "." + name + " " + desc;
        if (access.isEmpty()) {
            missing.add("no " + member);
        } else if (is(access.get(), Opcodes.ACC_STATIC) != isStatic) {
            missing.add(member + (isStatic ? " is not static" : " is static"));
        }
    }

    /** The class and its ancestors that are there: classes first, then interfaces. */
    private Stream<ClassNode> lineage(ClassNode node) {
        Map<String, ClassNode> all = new LinkedHashMap<>();
        ArrayDeque<String> interfaces = new ArrayDeque<>();
        Optional<ClassNode> next = Optional.of(node);
        while (next.isPresent()) {
            ClassNode at = next.get();
            all.put(at.name, at);
            interfaces.addAll(at.interfaces);
            next = Optional.ofNullable(at.superName).flatMap(files::find);
        }
        while (!interfaces.isEmpty()) {
            files.find(interfaces.remove())
                    .filter(i -> all.putIfAbsent(i.name, i) == null)
                    .ifPresent(i -> interfaces.addAll(i.interfaces));
        }
        return all.values().stream();
    }

    private Stream<ClassNode> withObject(ClassNode node) {
        return Stream.concat(lineage(node), files.find("java/lang/Object").stream());
    }

    private static boolean is(int access, int flags) {
        return (access & flags) != 0;
    }

    private static String shown(String name) {
        return name.replace('/', '.');
    }
}
