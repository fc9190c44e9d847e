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

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;

/** What a class refers to. For one thread. */
final class References {
    private final Members members;

    References(ClassFiles files) {
        members = new Members(files);
    }

    /** What the class refers to and what is not there, each with the class, or the method of it, that does so. */
    Map<String, String> missing(String name) {
        Map<String, String> users = new TreeMap<>();
        String user = name.replace('/', '.');
        Set<String> missing = new TreeSet<>();
        ClassNode node = members.classOf(name, missing);
        if (node == null || !members.hasAncestors(node, missing)) {
            missing.forEach(each -> users.put(each, user));
            return users;
        }
        members.unimplemented(node, missing);
        for (FieldNode field : node.fields) {
            type(Type.getType(field.desc), missing);
        }
        missing.forEach(each -> users.put(each, user));
        for (MethodNode method : node.methods) {
            of(method).forEach(each -> users.putIfAbsent(each, user + "." + method.name));
        }
        return users;
    }

    private Set<String> of(MethodNode method) {
        Set<String> missing = new TreeSet<>();
        type(Type.getMethodType(method.desc), missing);
        for (TryCatchBlockNode caught : method.tryCatchBlocks) {
            if (caught.type != null) {
                type(Type.getObjectType(caught.type), missing);
            }
        }
        for (AbstractInsnNode instruction : method.instructions) {
            instruction(instruction, missing);
        }
        return missing;
    }

    private void instruction(AbstractInsnNode instruction, Set<String> missing) {
        if (instruction instanceof MethodInsnNode call) {
            boolean isStatic = call.getOpcode() == Opcodes.INVOKESTATIC;
            members.method(call.owner, call.name, call.desc, call.itf, isStatic, missing);
        } else if (instruction instanceof FieldInsnNode access) {
            boolean isStatic = access.getOpcode() == Opcodes.GETSTATIC || access.getOpcode() == Opcodes.PUTSTATIC;
            members.field(access.owner, access.name, access.desc, isStatic, missing);
        } else if (instruction instanceof TypeInsnNode use) {
            type(Type.getObjectType(use.desc), missing);
        } else if (instruction instanceof LdcInsnNode constant) {
            constant(constant.cst, missing);
        } else if (instruction instanceof InvokeDynamicInsnNode dynamic) {
            type(Type.getMethodType(dynamic.desc), missing);
            constant(dynamic.bsm, missing);
            for (Object argument : dynamic.bsmArgs) {
                constant(argument, missing);
            }
        }
    }

    private void constant(Object constant, Set<String> missing) {
        if (constant instanceof Type type) {
            type(type, missing);
        } else if (constant instanceof Handle handle && handle.getTag() <= Opcodes.H_PUTSTATIC) {
            boolean isStatic = handle.getTag() == Opcodes.H_GETSTATIC || handle.getTag() == Opcodes.H_PUTSTATIC;
            members.field(handle.getOwner(), handle.getName(), handle.getDesc(), isStatic, missing);
        } else if (constant instanceof Handle handle) {
            boolean isStatic = handle.getTag() == Opcodes.H_INVOKESTATIC;
            members.method(
                    handle.getOwner(), handle.getName(), handle.getDesc(), handle.isInterface(), isStatic, missing);
        }
    }

    private void type(Type type, Set<String> missing) {
        switch (type.getSort()) {
            case Type.OBJECT -> members.classOf(type.getInternalName(), missing);
            case Type.ARRAY -> type(type.getElementType(), missing);
            case Type.METHOD -> {
                type(type.getReturnType(), missing);
                for (Type argument : type.getArgumentTypes()) {
                    type(argument, missing);
                }
            }
            default -> {}
        }
    }
}
